# Golden vectors for src/statistics/samples/student-mean.ts, from R's t.test.
# apt-get install r-base-core
# Rscript test/golden/student-mean.R > test/golden/student-mean.json
# [level, limit, p two-sided of a mean of 0, p that the mean is at most the limit, low, high, upper, values]
# Results carry 17 significant digits; values have four, so that they are read back as they were.

set.seed(20261124, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")

num <- function(x) sprintf("%.17g", x)
vec <- function(x) paste0("[", paste(sprintf("%.15g", x), collapse = ","), "]")
draws <- list(
  normal = function(n) rnorm(n, 0.2),
  steps = function(n) sample(-4:4, n, replace = TRUE) / 4,
  yes.no = function(n) sample(c(-1, 0, 0, 1), n, replace = TRUE),
  skewed = function(n) rexp(n) - 0.7,
  large = function(n) rnorm(n, 1e5, 2000),
  small = function(n) rnorm(n, 1e-6, 2e-6)
)
rows <- list()
for (draw in draws) for (n in c(6:20, 35, 60)) for (level in c(0.9, 0.95, 0.99)) for (again in 1:4) {
  x <- as.numeric(sprintf("%.4g", draw(n)))
  if (sd(x) == 0) next
  limit <- signif(mean(x) + rnorm(1) * sd(x) / sqrt(n), 4)
  both <- t.test(x, conf.level = level)
  above <- t.test(x, mu = limit, alternative = "greater")
  upper <- t.test(x, alternative = "less", conf.level = level)$conf.int[2]
  rows[[length(rows) + 1]] <- paste0("[", paste(c(num(c(level, limit, both$p.value, above$p.value, both$conf.int, upper)), vec(x)), collapse = ","), "]")
}
cat("[\n", paste(unlist(rows), collapse = ",\n"), "\n]\n", sep = "")
