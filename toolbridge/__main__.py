"""`python -m toolbridge`."""

import sys

from toolbridge.cli import main

sys.exit(main())
