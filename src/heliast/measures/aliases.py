"""What others call our measures, and what they offer that is not offered here."""

# Usual names to ours; `neg_` before and `_macro`, `_micro`, `_weighted` behind are understood.
ALIASES: dict[str, str] = {
    alias: name
    for name, others in {
        "error": "err error_rate ce classification_error misclassification_error "
        "misclassification_rate zero_one_loss hamming_loss",
        "accuracy": "acc accuracy_score success_rate recognition_rate",
        "balanced_accuracy": "bacc bal_acc bal_accuracy balanced_acc balanced_accuracy_score",
        "precision": "ppv prec positive_predictive_value precision_score",
        "recall": "coverage sensitivity sens tpr hit_rate true_positive_rate recall_score",
        "specificity": "spec tnr selectivity true_negative_rate",
        "fpr": "fall_out false_alarm_rate false_positive_rate",
        "fnr": "miss_rate false_negative_rate",
        "npv": "negative_predictive_value",
        "informedness": "youden youden_j j_index",
        "f1": "f f1_score f_score f_measure f_meas",
        "fbeta": "f_beta fbeta_score",
        "kappa": "kap cohen_kappa cohens_kappa cohen_kappa_score",
        "kappa_linear": "linear_weighted_kappa",
        "kappa_quadratic": "quadratic_weighted_kappa qwk",
        "class_mae": "mean_absolute_class_error",
        "mcc": "matthews matthews_corrcoef phi",
        "auc": "auroc auc_roc roc_auc roc_auc_score roc_auc_ovr c_statistic",
        "hand_till": "roc_auc_ovo",
        "top_k_accuracy": "top_k_accuracy_score",
        "average_precision": "ap avg_precision average_precision_score pr_auc prauc auprc auc_pr",
        "log_loss": "logloss cross_entropy mn_log_loss nll",
        "brier": "brier_score brier_score_loss brier_class",
        "ece": "expected_calibration_error",
        "expected_cost": "cost mean_cost",
        "mae": "mean_absolute_error",
        "mape": "mean_absolute_percentage_error",
        "mean_error": "bias mean_bias_error mbe",
        "median_ae": "median_absolute_error medae",
        "mse": "mean_squared_error",
        "rmse": "root_mean_squared_error",
        "rae": "relative_absolute_error",
        "rrse": "root_relative_squared_error",
        "r2": "r2_score r_squared rsquared rsq",
    }.items()
    for alias in others.split()
}

# What scikit-learn and others offer that is not a measure here, and what to ask for instead.
NOT_OFFERED: dict[str, str] = {
    name: why
    for names, why in {
        "adjusted_mutual_info_score adjusted_rand_score completeness_score fowlkes_mallows_score "
        "homogeneity_score mutual_info_score normalized_mutual_info_score rand_score "
        "v_measure_score": "it compares two clusterings; for classes ask for kappa or mcc",
        "f1_samples jaccard_samples precision_samples recall_samples": "it is for several labels "
        "a row; assess one label at a time",
        "jaccard jaccard_score": "ask for f1: of one class the Jaccard index is f1 / (2 - f1), so "
        "both put models in one order",
        "d2_brier_score": "ask for brier, and compare with a model that answers the class shares",
        "d2_log_loss_score": "ask for log_loss, and compare with a model that answers the class "
        "shares",
        "d2_absolute_error_score": "ask for rae, the absolute error relative to guessing the mean",
        "explained_variance": "ask for r2, which counts a constant shift as an error",
        "max_error": "the largest error of a sample says little of new rows; ask for rmse",
        "mean_gamma_deviance mean_poisson_deviance": "ask for mae or rmse",
        "mean_squared_log_error root_mean_squared_log_error rmsle": "take logarithms of truth and "
        "label, and ask for mse or rmse",
        "positive_likelihood_ratio": "it is recall / fpr: ask for these two",
        "negative_likelihood_ratio": "it is fnr / specificity: ask for these two",
        "roc_auc_ovo_weighted": "ask for roc_auc_ovo (hand_till), in which class shares do not "
        "matter, or for roc_auc_ovr_weighted",
    }.items()
    for name in names.split()
}


def usual_name(name: str, known: set[str]) -> str:
    """Our name for what a user calls a measure; the name itself if nobody calls it so.

    >>> [usual_name(name, {"f1", "auc"}) for name in ("F1", "f1_macro", "roc-auc", "f.micro", "g")]
    ['f1', 'f1.macro', 'auc', 'f1.micro', 'g']
    """
    base, dot, average = name.partition(".")
    if base in known:
        return name
    plain = base.strip().lower().replace("-", "_").replace(" ", "_").removeprefix("neg_")
    for ending in ("macro", "micro", "weighted"):
        if not dot and plain.endswith(f"_{ending}") and plain not in NOT_OFFERED:
            plain, dot, average = plain.removesuffix(f"_{ending}"), ".", ending
    ours = ALIASES.get(plain, plain)
    return f"{ours}{dot}{average}" if ours in known or plain in NOT_OFFERED else name
