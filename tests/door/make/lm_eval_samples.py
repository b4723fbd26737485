"""Make the samples of lm-evaluation-harness in the gallery: `python lm_eval_samples.py FOLDER`
where lm-eval is installed (0.4.13 made those here). Its dummy model answers two small tasks that
are made here, so nothing is fetched. Of the results only the name of the model and the means are
kept, in `answers.json` for the test.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ARITHMETIC = """task: sums
dataset_path: json
dataset_kwargs: {data_files: {test: FOLDER/sums.jsonl}}
test_split: test
output_type: generate_until
doc_to_text: "{{question}}"
doc_to_target: "{{answer}}"
generation_kwargs: {until: ["\\n"]}
filter_list:
  - {name: strict, filter: [{function: take_first}]}
  - {name: flexible, filter: [{function: regex, regex_pattern: "(l)o"}, {function: take_first}]}
metric_list:
  - {metric: exact_match, aggregation: mean, higher_is_better: true}
"""
CHOICE = """task: colours
dataset_path: json
dataset_kwargs: {data_files: {test: FOLDER/colours.jsonl}}
test_split: test
output_type: multiple_choice
doc_to_text: "{{question}}"
doc_to_choice: ["red", "green", "blue"]
doc_to_target: "{{gold}}"
metric_list:
  - {metric: acc, aggregation: mean, higher_is_better: true}
  - {metric: acc_norm, aggregation: mean, higher_is_better: true}
"""


def main(target: Path) -> None:
    answers = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "sums.yaml").write_text(ARITHMETIC.replace("FOLDER", name))
        (folder / "colours.yaml").write_text(CHOICE.replace("FOLDER", name))
        sums = [{"question": f"{i} + {i}", "answer": "lol" if i % 3 else "l"} for i in range(8)]
        colours = [
            {"question": f"Which colour is {i}?", "gold": i % 3, "shade": ["light", "dark"][i % 2]}
            for i in range(12)
        ]
        for task, docs in (("sums", sums), ("colours", colours)):
            lines = "".join(json.dumps(doc) + "\n" for doc in docs)
            (folder / f"{task}.jsonl").write_text(lines)
        for model, seed in (("first", 1), ("second", 2)):
            made = folder / model
            program = Path(sys.executable).with_name("lm_eval")
            words = [
                program,
                "--model",
                "dummy",
                "--tasks",
                "sums,colours",
                "--include_path",
                name,
                "--output_path",
                made,
                "--log_samples",
                "--seed",
                str(seed),
            ]
            offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": name}
            subprocess.run(list(map(str, words)), check=True, env={**os.environ, **offline})
            (target / model).mkdir(parents=True, exist_ok=True)
            for path in made.rglob("samples_*.jsonl"):
                (target / model / path.name).write_bytes(path.read_bytes())
            for path in made.rglob("results_*.json"):
                answers[model] = json.loads(path.read_text())["results"]
                kept = json.dumps({"model_name": model})
                (target / model / path.name).write_text(kept + "\n")
    (target / "answers.json").write_text(json.dumps(answers, indent=1) + "\n")


main(Path(sys.argv[1]))
