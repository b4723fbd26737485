# Answers of rms::val.prob and glm to the questions of heliast.estimates.calibration_inference:
# Rscript calibration.R, in this folder (R 4.2, rms 6.5). The inputs are made here and stored with
# the answers: a plain table, one with tied forecasts, and one with a rare class.
suppressMessages(library(jsonlite))
suppressMessages(library(rms))
set.seed(20240601)

answer <- function(p, y) {
  found <- val.prob(p, y, pl = FALSE)
  logit <- qlogis(p)
  control <- glm.control(epsilon = 1e-14, maxit = 50)
  large <- glm(y ~ offset(logit), family = binomial, control = control)
  joint <- glm(y ~ logit, family = binomial, control = control)
  list(
    # val.prob's own C index comes from lrm.fit, which takes forecasts in steps of 0.002 as equal.
    p = p, y = y, val_prob = as.list(found), somers = as.list(Hmisc::somers2(p, y)),
    intercept = as.numeric(coef(large)), intercept_se = sqrt(as.numeric(vcov(large))),
    slope_se = sqrt(vcov(joint)[2, 2])
  )
}

made <- function(n, a, b, shape, digits) {
  p <- round(rbeta(n, shape[1], shape[2]), digits)
  p <- pmin(pmax(p, 10^-digits), 1 - 10^-digits)
  list(p = p, y = rbinom(n, 1, plogis(a + b * qlogis(p))))
}

tables <- list(
  plain = made(150, 0.2, 0.8, c(2, 2), 6),
  ties = made(120, -0.3, 1.2, c(1, 1), 1),
  rare = made(200, 0, 0.7, c(1, 12), 4)
)
answers <- lapply(tables, function(table) answer(table$p, table$y))
write_json(answers, "calibration.json", digits = NA, auto_unbox = TRUE)
