# Answers of base R to the questions of heliast.comparisons: Rscript comparisons.R, in this folder.
# The inputs are made here and stored with the answers. Values are multiples of 1/64, so that
# differences are exact and R and we see the same ties.
suppressMessages(library(jsonlite))
set.seed(20240501)

grid <- function(x) round(x * 64) / 64

paired <- function(n, shift) {
  a <- grid(rnorm(n, shift))
  b <- grid(rnorm(n))
  found <- t.test(a, b, paired = TRUE)
  list(
    a = a, b = b, statistic = as.numeric(found$statistic), p = found$p.value,
    limits = as.numeric(found$conf.int)
  )
}

# No ties and no zeros: R is exact there. Distinct sizes with random signs make such differences.
untied <- function(n) {
  d <- sample(c(-1, 1), n, TRUE, c(0.3, 0.7)) * sample(1:200, n) / 64
  found <- wilcox.test(d, exact = TRUE, conf.int = TRUE)
  list(
    d = d, statistic = as.numeric(found$statistic), p = found$p.value,
    value = median(outer(d, d, "+")[upper.tri(diag(n), diag = TRUE)] / 2),
    limits = as.numeric(found$conf.int)
  )
}

# Ties, many pairs: the normal approximation without R's continuity correction.
many <- function(n) {
  d <- grid(rnorm(n, 0.1))
  d <- d[d != 0]
  found <- suppressWarnings(wilcox.test(d, exact = FALSE, correct = FALSE))
  list(d = d, statistic = as.numeric(found$statistic), p = found$p.value)
}

discordant <- function(b, c) {
  table <- matrix(c(50, b, c, 20), 2)
  list(
    b = b, c = c,
    plain = mcnemar.test(table, correct = FALSE)$p.value,
    corrected = mcnemar.test(table)$p.value,
    exact = binom.test(b, b + c)$p.value,
    mid = binom.test(b, b + c)$p.value - dbinom(min(b, c), b + c, 0.5)
  )
}

ranked <- function(n, k) {
  table <- grid(matrix(rnorm(n * k), n) + rep(seq(0, 0.8, length.out = k), each = n))
  table[1, 2] <- table[1, 1]
  found <- friedman.test(table)
  chi <- as.numeric(found$statistic)
  f <- (n - 1) * chi / (n * (k - 1) - chi)
  se <- sqrt(k * (k + 1) / (12 * n))
  ranks <- colMeans(t(apply(-table, 1, rank)))
  # qtukey stops at four digits; ptukey does not.
  quantile <- uniroot(function(q) ptukey(q, k, Inf) - 0.95, c(2, 6), tol = 1e-13)$root
  list(
    table = table, statistic = chi, p = found$p.value, ranks = ranks,
    iman_davenport = pf(f, k - 1, (k - 1) * (n - 1), lower.tail = FALSE),
    critical_difference = quantile * se,
    pairs = ptukey(abs(outer(ranks, ranks, "-")) / se, k, Inf, lower.tail = FALSE)
  )
}

# Friedman's statistic of a table of right and wrong is Cochran's Q.
right <- function(n, k) {
  table <- matrix(as.integer(runif(n * k) < rep(seq(0.6, 0.8, length.out = k), each = n)), n)
  found <- friedman.test(table)
  list(correct = table, statistic = as.numeric(found$statistic), p = found$p.value)
}

p_values <- list(c(0.01, 0.04, 0.03), c(0.2, 0.001, 0.001, 0.9, 0.04), c(0.02, NA, 0.03, 1))
answers <- list(
  versions = list(R = R.version.string),
  paired = list(paired(5, 0.5), paired(30, 0.2)),
  untied = list(untied(6), untied(10), untied(25), untied(40)),
  many = list(many(260)),
  discordant = list(discordant(9, 2), discordant(1, 7), discordant(40, 25), discordant(3, 2)),
  ranked = list(ranked(6, 3), ranked(12, 5), ranked(30, 8)),
  right = list(right(40, 3), right(200, 6)),
  holm = lapply(p_values, function(p) list(p = p, adjusted = p.adjust(p, "holm")))
)
write(
  toJSON(answers, digits = I(15), auto_unbox = TRUE, pretty = FALSE, na = "null"),
  "comparisons.json"
)
