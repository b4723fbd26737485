"""Files of predictions as Spark ML writes them, with what its evaluators give.

Run in the folder of this script: python spark.py (PySpark and Java; nothing else).
"""

import json
import shutil
import tempfile
from pathlib import Path

import numpy as np
from pyspark.ml.classification import LogisticRegression, RandomForestClassifier
from pyspark.ml.evaluation import BinaryClassificationEvaluator, MulticlassClassificationEvaluator
from pyspark.ml.functions import vector_to_array
from pyspark.ml.linalg import Vectors
from pyspark.sql import SparkSession

GALLERY = Path("../gallery")


def single(frame, name: str, how: str) -> None:
    """Write one part and keep it as a file of that name."""
    folder = Path(tempfile.gettempdir()) / "spark-part"
    shutil.rmtree(folder, ignore_errors=True)
    getattr(frame.coalesce(1).write, how)(str(folder))
    shutil.copy(next(folder.glob("part-*")), GALLERY / name)


def main() -> None:
    session = (
        SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    )
    rng = np.random.default_rng(3)
    answers = {}
    for k, name in ((2, "two"), (3, "three")):
        truth = rng.integers(0, k, 40)
        inputs = rng.normal(truth[:, None], 1.2, (40, 2))
        rows = [(float(t), Vectors.dense(x)) for t, x in zip(truth, inputs, strict=True)]
        data = session.createDataFrame(rows, ["y_pred", "features"])
        found = LogisticRegression().fit(data).transform(data).cache()
        right = MulticlassClassificationEvaluator(metricName="accuracy").evaluate(found)
        loss = MulticlassClassificationEvaluator(metricName="logLoss", eps=1e-15).evaluate(found)
        measures = {"accuracy": right, "log_loss": loss}
        if k == 2:
            raw = BinaryClassificationEvaluator(numBins=0).evaluate(found)
            measures["auc"] = raw
        short = found.drop("features")
        single(short, f"spark_{name}.parquet", "parquet")
        single(short, f"spark_{name}.json", "json")
        listed = short.select(
            "y_pred", "prediction", vector_to_array("probability").alias("probability")
        )
        single(listed, f"spark_{name}_list.parquet", "parquet")
        short.toPandas().to_csv(GALLERY / f"spark_{name}.csv", index=False)
        for ending in (".parquet", ".json", "_list.parquet", ".csv"):
            answers[f"spark_{name}{ending}"] = {"by": "Spark ML", "measures": measures}
    plain = found.select("y_pred", "prediction")
    single(plain, "spark_labels.csv", "csv")
    answers["spark_labels.csv"] = {"stops": "add a first line that names the columns"}
    forest = RandomForestClassifier(numTrees=1, maxDepth=2, seed=1).fit(data).transform(data)
    sparse = forest.toPandas()
    sparse["probability"] = [
        Vectors.sparse(3, [(at, float(v)) for at, v in enumerate(p.toArray()) if v])
        for p in sparse["probability"]
    ]
    sparse.drop(columns="features").to_csv(GALLERY / "spark_sparse.csv", index=False)
    right = MulticlassClassificationEvaluator(metricName="accuracy").evaluate(forest)
    answers["spark_sparse.csv"] = {"by": "Spark ML", "measures": {"accuracy": right}}
    (GALLERY / "answers-spark.json").write_text(json.dumps(answers, indent=1) + "\n")
    session.stop()


if __name__ == "__main__":
    main()
