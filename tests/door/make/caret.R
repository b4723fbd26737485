# Files of predictions as R writes them: caret, base R, readr, data.table and jsonlite, each with the
# measures that caret and pROC compute. Run in the folder of this script: Rscript caret.R
# tidymodels, yardstick and mlr3 were not at hand: their files have the columns that their manuals give, with the
# predictions of caret in them.
suppressPackageStartupMessages({library(caret); library(pROC)})
set.seed(1)
to <- function(name) file.path("..", "gallery", name)
answers <- list()
keep <- function(name, ...) answers[[name]] <<- list(by = paste("caret", packageVersion("caret")), measures = list(...))
auc_of <- function(d, positive) {
  negative <- setdiff(levels(d$obs), positive)
  as.numeric(auc(roc(d$obs, d[[positive]], levels = c(negative, positive), direction = "<", quiet = TRUE)))
}
two <- droplevels(subset(iris, Species != "setosa"))[, c(1, 2, 5)]
folds <- trainControl("cv", number = 3, savePredictions = "final", classProbs = TRUE)
fit <- train(Species ~ ., two, method = "rpart", trControl = folds, tuneLength = 1)
write.csv(fit$pred, to("caret_two_folds.csv"))
# heliast counts the rows of all folds together, as confusionMatrix does; the mean of the folds' accuracies that
# train() prints differs from it where folds differ in size (here 0.5790 beside 0.58).
pooled <- function(pred) confusionMatrix(pred$pred, pred$obs)$overall
keep("caret_two_folds.csv", accuracy = pooled(fit$pred)[["Accuracy"]], kappa = pooled(fit$pred)[["Kappa"]])
three <- train(Species ~ Sepal.Length + Sepal.Width, iris, method = "rpart", trControl = folds, tuneLength = 1)
write.csv(three$pred, to("caret_three_folds.csv"), row.names = FALSE)
keep("caret_three_folds.csv", accuracy = pooled(three$pred)[["Accuracy"]], kappa = pooled(three$pred)[["Kappa"]])
test <- two[seq(1, 100, 2), ]
glm <- train(Species ~ ., two[seq(2, 100, 2), ], method = "glm", trControl = trainControl("none"))
probs <- predict(glm, test, type = "prob")
held <- data.frame(obs = test$Species, pred = predict(glm, test), probs)
both <- confusionMatrix(held$pred, held$obs, positive = "virginica")
scored <- function(name) keep(name, accuracy = both$overall[["Accuracy"]], kappa = both$overall[["Kappa"]],
  recall = both$byClass[["Sensitivity"]], specificity = both$byClass[["Specificity"]],
  precision = both$byClass[["Pos Pred Value"]], auc = auc_of(held, "virginica"))
write.csv(held, to("r_write_csv.csv")); scored("r_write_csv.csv")
write.csv2(held, to("r_write_csv2.csv")); scored("r_write_csv2.csv")
write.csv2(held, to("r_write_csv2_plain.csv"), row.names = FALSE, quote = FALSE); scored("r_write_csv2_plain.csv")
write.table(held, to("r_write_table.tsv"), sep = "\t", row.names = FALSE); scored("r_write_table.tsv")
write.table(held, to("r_write_table_comma.tsv"), sep = "\t", dec = ",", row.names = FALSE); scored("r_write_table_comma.tsv")
readr::write_csv(held, to("readr_write_csv.csv.gz")); scored("readr_write_csv.csv.gz")
readr::write_excel_csv2(held, to("readr_write_excel_csv2.csv")); scored("readr_write_excel_csv2.csv")
readr::write_delim(held, to("readr_write_delim.csv"), delim = "|"); scored("readr_write_delim.csv")
data.table::fwrite(held, to("data_table_fwrite.csv.gz")); scored("data_table_fwrite.csv.gz")
data.table::fwrite(held, to("data_table_fwrite_comma.csv"), sep = ";", dec = ","); scored("data_table_fwrite_comma.csv")
jsonlite::write_json(held, to("jsonlite_array.json"), digits = NA); scored("jsonlite_array.json")
jsonlite::write_json(held, to("jsonlite_columns.json"), dataframe = "columns", digits = NA); scored("jsonlite_columns.json")
jsonlite::stream_out(held, file(to("jsonlite_lines.jsonl")), verbose = FALSE, digits = NA); scored("jsonlite_lines.jsonl")
renamed <- held; names(renamed) <- c("truth", "predicted", "versicolor", "virginica")
write.csv(renamed, to("yardstick_two_class.csv"), row.names = FALSE); scored("yardstick_two_class.csv")
tidy <- data.frame(.pred_class = held$pred, .pred_versicolor = held$versicolor, .pred_virginica = held$virginica, .row = 1:50, Class = held$obs)
write.csv(tidy, to("tidymodels_class.csv"), row.names = FALSE); scored("tidymodels_class.csv")
write.csv(setNames(tidy, sub("Class", "Species", names(tidy))), to("tidymodels_any_truth.csv"), row.names = FALSE); scored("tidymodels_any_truth.csv")
write.csv(tidy[, -1], to("tidymodels_prob_only.csv"), row.names = FALSE)
keep("tidymodels_prob_only.csv", auc = auc_of(held, "virginica"))
write.csv(cbind(test[, 1:2], tidy[, c(1:3, 5)]), to("tidymodels_augment.csv"), row.names = FALSE); scored("tidymodels_augment.csv")
write.csv(cbind(id = "train/test split", tidy, .config = "Preprocessor1_Model1"), to("tidymodels_last_fit.csv"), row.names = FALSE); scored("tidymodels_last_fit.csv")
write.csv(cbind(tidy[, 1:3], test), to("tidymodels_augment_species.csv"), row.names = FALSE)
answers[["tidymodels_augment_species.csv"]] <- list(stops = "--y-true Species")
mlr3 <- data.frame(row_ids = 1:50, truth = held$obs, response = held$pred, prob.versicolor = held$versicolor, prob.virginica = held$virginica)
write.csv(mlr3, to("mlr3_prob.csv"), row.names = FALSE); scored("mlr3_prob.csv")
write.csv(mlr3[, 1:3], to("mlr3_response.csv"), row.names = FALSE)
keep("mlr3_response.csv", accuracy = both$overall[["Accuracy"]], kappa = both$overall[["Kappa"]])
lin <- train(mpg ~ wt + hp, mtcars, method = "lm", trControl = trainControl("none"))
numbers <- data.frame(obs = mtcars$mpg, pred = predict(lin, mtcars))
sums <- defaultSummary(numbers)
number <- function(name) keep(name, rmse = sums[["RMSE"]], mae = sums[["MAE"]])
write.csv(numbers, to("caret_numbers.csv")); number("caret_numbers.csv")
write.csv2(numbers, to("caret_numbers_csv2.csv")); number("caret_numbers_csv2.csv")
write.csv(data.frame(.pred = numbers$pred, .row = 1:32, mpg = numbers$obs), to("tidymodels_number.csv"), row.names = FALSE); number("tidymodels_number.csv")
write.csv(data.frame(row_ids = 1:32, truth = numbers$obs, response = numbers$pred), to("mlr3_number.csv"), row.names = FALSE); number("mlr3_number.csv")
jsonlite::write_json(answers, to("answers-r.json"), digits = NA, auto_unbox = TRUE, pretty = TRUE)
