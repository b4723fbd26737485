# Answers of ipred's bootest on given resamples: Rscript ipred.R, in this folder.
# list.tindx hands ipred the resamples; predictions = TRUE gives back what its models said of the
# rows left out, so that we read the very same predictions. both.boot = TRUE gives the left-out
# error and .632+.
suppressMessages({
  library(jsonlite)
  library(ipred)
  library(MASS)
})
set.seed(20261115)

lda_class <- function(object, newdata) predict(object, newdata)$class
knn_class <- function(object, newdata) predict(object, newdata, type = "class")
nearest <- function(formula, data, ...) ipredknn(formula, data = data, k = 1)

answer <- function(name, data, model, predict, times) {
  n <- nrow(data)
  resamples <- lapply(seq_len(times), function(i) sample(n, n, replace = TRUE))
  found <- bootest(
    data$y, y ~ ., data, model, predict, bc632plus = TRUE, list.tindx = resamples,
    predictions = TRUE, both.boot = TRUE
  )
  labels <- found$boot$predictions
  full <- predict(model(y ~ ., data = data), newdata = data)
  list(
    name = name, truth = as.character(data$y), full = as.character(full),
    resamples = lapply(resamples, function(rows) tabulate(rows, n)),
    labels = unname(lapply(labels, as.character)),
    left_out = found$boot$error, plus = found[["632plus"]]$error
  )
}

normal <- function(n, shift) {
  y <- rep(c("a", "b"), c(n, n))
  x <- matrix(rnorm(4 * n), 2 * n) + shift * (y == "b")
  data.frame(x, y = factor(y))
}

# The nearest row is of the other class: the left-out error exceeds the no-information rate.
alternating <- data.frame(u = 1:30, v = 0.1 * (1:30)^2, y = factor(rep(c("a", "b"), 15)))
flowers <- setNames(iris[seq(1, 150, by = 3), c(1, 2, 5)], c("u", "v", "y"))
levels(flowers$y) <- c("s", "e", "v")

answers <- list(
  versions = list(R = R.version.string, ipred = as.character(packageVersion("ipred"))),
  cases = list(
    answer("three classes, lda", flowers, lda, lda_class, 25),
    answer("two classes, nearest neighbour", normal(20, 1), nearest, knn_class, 25),
    answer("few resamples", normal(15, 1.5), lda, lda_class, 3),
    answer("neighbours of other classes", alternating, nearest, knn_class, 25)
  )
)
write(toJSON(answers, digits = I(15), auto_unbox = TRUE, na = "null"), "ipred.json")
