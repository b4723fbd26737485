"""Do the intervals for resampled plans cover the error of the recipe?"""
