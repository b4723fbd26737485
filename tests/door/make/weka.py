"""Files of predictions as Weka 3.9 writes them, with what it counts itself.

Run in the folder of this script, with the path of weka.jar: python weka.py weka.jar
"""

import json
import re
import subprocess
import sys
from pathlib import Path

GALLERY = Path("../gallery")
OUTPUT = "weka.classifiers.evaluation.output.prediction.CSV"


def weka(jar: str, model: str, data: str, name: str, *options: str, output: str = "") -> str:
    """Run a classifier; its predictions go to a file of the gallery, its summary comes back."""
    file = GALLERY / name
    file.unlink(missing_ok=True)
    words = f"{OUTPUT} -file {file} {output}".strip()
    command = ["java", "-cp", jar, f"weka.classifiers.{model}", "-t", data, *options]
    done = subprocess.run(
        [*command, "-classifications", words], capture_output=True, text=True, check=True
    )
    if not file.exists():  # printed, under a title
        file.write_text(done.stdout)
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def main(jar: str) -> None:
    answers = {}
    for name, model, data, options, output in (
        ("weka_two.csv", "trees.J48", "two.arff", ("-x", "3"), ""),
        ("weka_two_distribution.csv", "bayes.NaiveBayes", "two.arff", ("-x", "3"), "-distribution"),
        ("weka_three.csv", "trees.J48", "iris.arff", ("-x", "3"), "-decimals 6"),
        ("weka_three_distribution.csv", "bayes.NaiveBayes", "iris.arff", ("-T", "iris.arff"),
         "-distribution -decimals 9"),
        ("weka_attributes.csv", "trees.J48", "iris.arff", ("-T", "iris.arff"), "-p 1-2"),
    ):  # fmt: skip
        said = weka(jar, model, data, name, *options, output=output)
        test = said[re.search(r"cross-validation|on test data", said).start() :]
        right = int(re.search(r"^Correctly Classified Instances\s+(\d+)", test, re.M)[1])
        wrong = int(re.search(r"^Incorrectly Classified Instances\s+(\d+)", test, re.M)[1])
        answers[name] = {"by": "Weka 3.9", "measures": {"accuracy": right / (right + wrong)}}
    weka(jar, "lazy.IBk", "number.arff", "weka_number.csv", "-T", "number.arff")
    answers["weka_number.csv"] = {"by": "Weka 3.9", "measures": {}}
    (GALLERY / "answers-weka.json").write_text(json.dumps(answers, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
