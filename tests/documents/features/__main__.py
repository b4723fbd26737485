"""Write docs/features.md: python -m tests.documents.features."""

import sys

from tests.documents.features.page import PAGE, features, page

PAGE.write_text(page(), encoding="utf-8")
failing = [one for one in features() if not one.answer.holds]
for one in failing:
    print(f"{one.number} {one.name}: {one.answer.wrong[:3]}")
print(f"{len(features()) - len(failing)} of {len(features())} hold: {PAGE.name}")
sys.exit(bool(failing))
