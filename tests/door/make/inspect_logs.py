"""Make the logs of Inspect in the gallery: `python inspect_logs.py FOLDER` where inspect-ai is
installed (0.3.285 made those here). No model is asked: a solver writes the answers, so nothing is
fetched. Long parts that no reader looks at are cut out to keep the files small.
"""

import json
import random
import sys
from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.analysis import EvalModel, SampleSummary, samples_df
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage
from inspect_ai.scorer import exact, includes
from inspect_ai.solver import solver


@solver
def answers(chance: float, seed: int):
    drawn = random.Random(seed)

    async def solve(state, generate):
        right = drawn.random() < chance
        text = state.target.text if right else "I do not know"
        state.output = ModelOutput.from_content(state.model.name, text)
        state.output.usage = ModelUsage(input_tokens=20, output_tokens=5, total_tokens=25)
        return state

    return solve


def numbers(count: int, epochs: int, chance: float, seed: int, scorers) -> Task:
    data = [
        Sample(
            id=f"q{i}",
            input=f"What is {i} + {i}?",
            target=str(2 * i),
            metadata={"topic": "even" if i % 2 == 0 else "odd"},
        )
        for i in range(count)
    ]
    return Task(
        dataset=data, solver=answers(chance, seed), scorer=scorers, epochs=epochs, name="numbers"
    )


def shortened(folder: Path, answers: dict[str, object]) -> None:
    for path in folder.glob("json-*/*.json"):
        log = json.loads(path.read_text())
        for sample in log["samples"]:
            for part in ("events", "events_data", "messages", "output"):
                sample.pop(part, None)
        path.write_text(json.dumps(log) + "\n")
        scores = log["results"]["scores"]
        answers[path.parent.name] = {one["name"]: one["metrics"] for one in scores}
    (folder / "answers.json").write_text(json.dumps(answers, indent=1) + "\n")
    frame = samples_df(str(folder / "eval-old"), columns=EvalModel + SampleSummary)
    frame.drop(columns="log").to_csv(folder / "samples_df.csv", index=False)


def main(folder: Path) -> None:
    for name, chance, seed in (("new", 0.9, 1), ("old", 0.6, 2)):
        for kind in ("json", "eval"):
            task = numbers(8, 2, chance, seed, [exact()])
            eval(
                task,
                model=f"mockllm/{name}",
                log_dir=str(folder / f"{kind}-{name}"),
                log_format=kind,
                display="none",
                max_samples=1,
            )
    task = numbers(4, 1, 0.5, 3, [exact(), includes()])
    eval(
        task,
        model="mockllm/two",
        log_dir=str(folder / "json-two"),
        log_format="json",
        display="none",
        max_samples=1,
    )
    shortened(folder, {})


main(Path(sys.argv[1]))
