# The public names, one line each: type checkers and the lazy importer both read this file.
from heliast import curves as curves
from heliast import estimates as estimates
from heliast import measures as measures
from heliast._assess import Assessment as Assessment
from heliast._assess import assess as assess
from heliast._core.errors import HeliastError as HeliastError
from heliast._core.errors import InputError as InputError
from heliast._core.errors import NotEnoughData as NotEnoughData
from heliast.estimates import Estimate as Estimate
from heliast.predictions import Predictions as Predictions

__version__: str
