"""A file a family of studies. One with an underscore holds what several families share."""
