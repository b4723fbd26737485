"""One file a study. A file whose name begins with an underscore holds what several share."""
