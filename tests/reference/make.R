# Answers of R's packages on the files in data/: Rscript make.R, run in this folder.
# Definitions that differ from ours are noted beside the call; the tests compare what agrees.
suppressMessages({
  library(pROC)
  library(caret)
  library(psych)
  library(jsonlite)
})

limits <- function(successes, n) {
  list(
    successes = successes, n = n,
    exact = as.numeric(binom.test(successes, n)$conf.int),
    wilson = as.numeric(suppressWarnings(prop.test(successes, n, correct = FALSE))$conf.int)
  )
}

agreement <- function(truth, label) {
  # psych needs every class in both columns; its variance is that of Fleiss, Cohen and Everitt.
  found <- suppressWarnings(cohen.kappa(cbind(truth, label)))
  list(kappa = as.numeric(found$kappa), variance = as.numeric(found$var.kappa))
}

two_classes <- function(name) {
  rows <- read.csv(file.path("data", paste0(name, ".csv")))
  curve <- roc(rows$truth, rows$score, levels = c(0, 1), direction = "<", quiet = TRUE)
  second <- roc(rows$truth, rows$other, levels = c(0, 1), direction = "<", quiet = TRUE)
  paired <- roc.test(curve, second, method = "delong", paired = TRUE)
  counted <- confusionMatrix(
    factor(rows$label, c(0, 1)), factor(rows$truth, c(0, 1)), positive = "1", mode = "everything"
  )
  list(
    auc = as.numeric(auc(curve)),
    auc_variance = as.numeric(var(curve, method = "delong")),
    auc_limits = as.numeric(ci.auc(curve, method = "delong"))[c(1, 3)],
    partial_auc = as.numeric(auc(
      curve, partial.auc = c(1, 0.9), partial.auc.focus = "specificity", partial.auc.correct = TRUE
    )),
    other_auc = as.numeric(auc(second)),
    paired_z = as.numeric(paired$statistic),
    paired_p = as.numeric(paired$p.value),
    covariance = as.numeric(cov(curve, second, method = "delong")),
    overall = as.list(counted$overall[c("Accuracy", "Kappa")]),
    by_class = as.list(counted$byClass),
    kappa = agreement(rows$truth, rows$label),
    error = limits(sum(rows$truth != rows$label), nrow(rows)),
    recall = limits(sum(rows$truth == 1 & rows$label == 1), sum(rows$truth == 1))
  )
}

several_classes <- function(name) {
  rows <- read.csv(file.path("data", paste0(name, ".csv")))
  classes <- sort(unique(c(rows$truth, rows$label)))
  probabilities <- as.matrix(rows[paste0("prob_", classes)])
  colnames(probabilities) <- classes
  counted <- confusionMatrix(
    factor(rows$label, classes), factor(rows$truth, classes), mode = "everything"
  )
  by_class <- counted$byClass
  rownames(by_class) <- sub("Class: ", "", rownames(by_class))
  against_rest <- sapply(classes, function(class) {
    as.numeric(auc(
      roc(rows$truth == class, probabilities[, class], levels = c(FALSE, TRUE), direction = "<",
          quiet = TRUE)
    ))
  })
  list(
    # Matrix form: each pair is judged by both classes' own columns (Hand and Till). With a single
    # predictor pROC orders all pairs by the one score instead: another measure.
    hand_till = as.numeric(multiclass.roc(rows$truth, probabilities, quiet = TRUE)$auc),
    auc = as.list(against_rest),
    overall = as.list(counted$overall[c("Accuracy", "Kappa")]),
    by_class = lapply(setNames(classes, classes), function(class) as.list(by_class[class, ])),
    kappa = agreement(rows$truth, rows$label),
    error = limits(sum(rows$truth != rows$label), nrow(rows))
  )
}

numbers <- function(name) {
  rows <- read.csv(file.path("data", paste0(name, ".csv")))
  list(
    mae = MAE(rows$label, rows$truth),
    rmse = RMSE(rows$label, rows$truth),
    # caret's default R2 is the squared correlation; 'traditional' is 1 - RSS/TSS.
    r2 = R2(rows$label, rows$truth, formula = "traditional")
  )
}

packages <- c("pROC", "caret", "psych")
answers <- list(
  versions = c(
    list(R = R.version.string),
    lapply(setNames(packages, packages), function(one) as.character(packageVersion(one)))
  ),
  plain = two_classes("plain"),
  ties = two_classes("ties"),
  rare = two_classes("rare"),
  several = several_classes("several"),
  numbers = numbers("numbers"),
  limits = list(limits(0, 20), limits(20, 20), limits(1, 3), limits(85, 100), limits(3, 10000))
)
write(toJSON(answers, digits = I(15), auto_unbox = TRUE, pretty = TRUE), "answers.json")
