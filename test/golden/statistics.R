# Golden vectors for src/statistics, from R's own distributions, quantile() and binom.test().
# Rscript test/golden/statistics.R > test/golden/statistics.json
# Numbers carry 17 significant digits, so that a double is read back as it was.

set.seed(20260101, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")

num <- function(x) ifelse(is.finite(x), sprintf("%.17g", x), "null")
row <- function(...) paste0("[", paste(unlist(list(...)), collapse = ","), "]")
rows <- function(xs) paste0("[\n", paste(unlist(xs), collapse = ",\n"), "\n]")
vec <- function(x) paste0("[", paste(num(x), collapse = ","), "]")

# Quantiles: [percent, value, sample]; latencies with a long tail, some with ties.
fewest <- c(`50` = 1, `90` = 7, `95` = 14, `99` = 67)
quantiles <- list()
for (n in c(1:24, 29, 30, 37, 59, 60, 67, 68, 85, 99, 100)) for (percent in c(50, 90, 95, 99)) {
  if (n < fewest[[as.character(percent)]]) next
  for (shape in 1:3) {
    x <- rlnorm(n, 8, 0.4)
    if (shape == 2) x <- round(x, -3)
    if (shape == 3) x <- x * 1e-6
    value <- unname(quantile(x, percent / 100, type = 8))
    quantiles[[length(quantiles) + 1]] <- row(percent, num(value), vec(x))
  }
}

# Rank intervals: [percent, n, low, high, coverage]; every pair of ranks is tried.
rank.interval <- function(n, p, level) {
  below <- c(0, pbinom(0:n, n, p)) # below[k + 1] = P(B < k)
  best <- NULL
  for (low in 1:(n - 1)) for (high in (low + 1):n) {
    coverage <- below[high + 1] - below[low + 1]
    if (coverage < level) next
    if (is.null(best) || high - low < best[2] - best[1]) best <- c(low, high, coverage)
    break
  }
  best
}
intervals <- list()
for (percent in c(50, 90, 95, 99)) for (n in c(2:70, 75, 80, 99, 100, 120, 150, 200, 250, 298, 299, 300, 400, 600)) {
  best <- rank.interval(n, percent / 100, 0.95)
  if (is.null(best)) best <- c(NA, NA, NA)
  intervals[[length(intervals) + 1]] <- row(percent, n, vec(best))
}

# The binomial distribution: [k, n, p, P(X = k), P(X <= k)].
binomial <- list()
for (n in c(1, 2, 5, 17, 60, 299, 2500, 40000)) for (p in c(1e-6, 0.003, 0.05, 0.31, 0.5, 0.9, 0.9999)) {
  for (k in unique(pmin(n, pmax(0, c(0, 1, round(n * p + c(-3, -1, 0, 1, 4) * sqrt(n * p * (1 - p))), n))))) {
    binomial[[length(binomial) + 1]] <- row(k, n, num(p), num(dbinom(k, n, p)), num(pbinom(k, n, p)))
  }
}

# The incomplete beta function and its inverse: [a, b, x, I_x(a, b)] and [share, a, b, x].
shapes <- c(0.2, 0.5, 1, 1.5, 3, 8.25, 40, 333.3, 5000)
beta <- list()
inverse <- list()
for (a in shapes) for (b in shapes) {
  for (x in c(0.001, a / (a + b), 0.6)) beta[[length(beta) + 1]] <- row(a, b, num(x), num(pbeta(x, a, b)))
  for (share in c(0.025, 0.5, 0.95, 0.975)) {
    x <- qbeta(share, a, b)
    # Where 1 - x has few bits left, x is right and its digits are not comparable.
    if (x > 1e-280) inverse[[length(inverse) + 1]] <- row(share, a, b, num(x))
  }
}

# Clopper-Pearson: [events, n, level, low, high, one-sided lower, one-sided upper].
clopper <- list()
for (n in c(1, 2, 3, 9, 36, 72, 299, 3000)) for (level in c(0.9, 0.95, 0.999)) {
  for (k in unique(pmin(n, c(0, 1, 2, floor(n / 3), floor(n / 2), n - 1, n)))) {
    ci <- binom.test(k, n, conf.level = level)$conf.int
    lower <- binom.test(k, n, alternative = "greater", conf.level = level)$conf.int[1]
    upper <- binom.test(k, n, alternative = "less", conf.level = level)$conf.int[2]
    clopper[[length(clopper) + 1]] <- row(k, n, level, num(ci[1]), num(ci[2]), num(lower), num(upper))
  }
}

# Student's two-sided critical value: [degrees, level, t].
student <- list()
for (d in c(1, 2, 3, 4, 7, 12, 30, 99, 1000, 10000)) for (level in c(0.8, 0.95, 0.99)) {
  student[[length(student) + 1]] <- row(d, level, num(qt(1 - (1 - level) / 2, d)))
}

# The upper tail of the normal distribution: [z, P(Z > z)].
normal <- list()
for (z in c(-9, -4.2, -2.6, -2.5, -1, -0.1, 0, 1e-9, 0.3, 1, 1.96, 2.49, 2.51, 3, 5, 8.5, 20, 37)) {
  normal[[length(normal) + 1]] <- row(num(z), num(pnorm(z, lower.tail = FALSE)))
}

# Wilcoxon's signed ranks: [differences, sum of ranks above 0, p greater, p less, p two-sided]. Up to 50 differences
# without ties R counts; with ties it approximates, which is compared above 50 alone.
signed <- list()
signed.row <- function(x, exact) {
  test <- function(side) suppressWarnings(wilcox.test(x, alternative = side, exact = exact, correct = TRUE))
  p <- sapply(c("greater", "less", "two.sided"), function(side) test(side)$p.value)
  row(vec(x), num(test("greater")$statistic), vec(p))
}
for (n in c(1:20, 25, 33, 40, 49, 50)) for (shift in c(-0.4, 0, 0.3, 1)) {
  signed[[length(signed) + 1]] <- signed.row(round(rnorm(n, shift), 9), TRUE)
}
for (n in c(51, 60, 85, 200)) for (digits in c(0, 1, 9)) for (shift in c(0, 0.2)) {
  x <- round(rnorm(2 * n + 20, shift), digits)
  signed[[length(signed) + 1]] <- signed.row(x[x != 0][1:n], FALSE)
}

# The median of Walsh's averages: [value, differences].
walsh <- list()
for (n in c(1:12, 35)) {
  x <- rnorm(n, 0.2)
  m <- outer(x, x, "+") / 2
  walsh[[length(walsh) + 1]] <- row(num(median(m[upper.tri(m, diag = TRUE)])), vec(x))
}

# McNemar, exact: [risen, fallen, p greater, p less, p two-sided].
mcnemar <- list()
for (n in c(1, 2, 5, 8, 13, 40, 333)) for (k in unique(c(0, 1, floor(n / 3), floor(n / 2), n - 1, n))) {
  p <- sapply(c("greater", "less", "two.sided"), function(side) binom.test(k, n, alternative = side)$p.value)
  mcnemar[[length(mcnemar) + 1]] <- row(k, n - k, vec(p))
}

cat("{\n")
cat('"command": "Rscript test/golden/statistics.R > test/golden/statistics.json",\n')
cat(sprintf('"made by": "%s",\n', R.version.string))
sets <- list(quantiles = quantiles, intervals = intervals, binomial = binomial, beta = beta, inverse = inverse,
             clopper = clopper, student = student, normal = normal, signed = signed, walsh = walsh,
             mcnemar = mcnemar)
cat(paste(sprintf('"%s": %s', names(sets), sapply(sets, rows)), collapse = ",\n"))
cat("\n}\n")
