# Golden vectors for the tests of comparisons in src/statistics, from R's own tests, and from coin.
# apt-get install r-cran-coin
# Rscript test/golden/comparison.R > test/golden/comparison.json
# Numbers carry 17 significant digits, so that a double is read back as it was; null stands for an infinite one.

suppressMessages(library(coin))
set.seed(20261122, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")

num <- function(x) ifelse(is.finite(x), sprintf("%.17g", x), "null")
row <- function(...) paste0("[", paste(unlist(list(...)), collapse = ","), "]")
rows <- function(xs) paste0("[\n", paste(unlist(xs), collapse = ",\n"), "\n]")
vec <- function(x) paste0("[", paste(num(x), collapse = ","), "]")
sides <- c("greater", "less", "two.sided")

# Walsh intervals without ties: [level, estimate, low, high, lower, upper, differences], two-sided and one-sided.
untied <- list()
for (n in c(5:24, 31, 40, 50)) for (level in c(0.9, 0.95, 0.99)) {
  if (2^-n > (1 - level) / 2) next
  x <- round(rnorm(n, 0.3), 4)
  while (any(duplicated(abs(x))) || any(x == 0)) x <- round(rnorm(n, 0.3), 4)
  test <- function(side) wilcox.test(x, alternative = side, conf.int = TRUE, conf.level = level, exact = TRUE)
  both <- test("two.sided")
  untied[[length(untied) + 1]] <- row(level, num(both$estimate), vec(both$conf.int),
    num(test("greater")$conf.int[1]), num(test("less")$conf.int[2]), vec(x))
}

# Walsh intervals by trying the test at a shift between each two Walsh averages: [level, low, high, differences].
# Up to 30 differences with ties by coin, exact; above 50 by wilcox.test, approximate.
averages <- function(x) { m <- outer(x, x, "+") / 2; sort(unique(m[upper.tri(m, diag = TRUE)])) }
p.coin <- function(x, side) pvalue(wilcoxsign_test(x ~ rep(0, length(x)), distribution = exact(), zero.method = "Wilcoxon",
                                                   alternative = side))
p.normal <- function(x, side) suppressWarnings(wilcox.test(x, alternative = side, exact = FALSE, correct = TRUE)$p.value)
tried <- function(x, level, p) {
  w <- averages(x)
  between <- c(w[1] - 1, (w[-1] + w[-length(w)]) / 2, w[length(w)] + 1)
  kept <- sapply(between, function(shift) min(p(x - shift, "greater"), p(x - shift, "less")) > (1 - level) / 2)
  ends <- c(-Inf, w, Inf)
  c(ends[min(which(kept))], ends[max(which(kept)) + 1])
}
inverted <- list()
for (n in c(6:16, 20, 26)) for (level in c(0.9, 0.95)) {
  x <- round(rnorm(n, 0.5, 2)) / 4
  inverted[[length(inverted) + 1]] <- row(level, vec(tried(x, level, p.coin)), vec(x))
}
for (n in c(51, 60)) for (digits in c(0, 2)) {
  x <- round(rnorm(n, 0.5, 2), digits)
  inverted[[length(inverted) + 1]] <- row(0.95, vec(tried(x, 0.95, p.normal)), vec(x))
}

# Signed ranks with ties and zeros, exact, by coin: [differences, p greater, p less, p two-sided].
tied <- list()
for (n in c(2:30, 36, 45, 50)) for (spread in c(1, 2, 4)) {
  x <- round(rnorm(n, 0.4, spread))
  if (sum(x != 0) < 2) next
  tied[[length(tied) + 1]] <- row(vec(x), vec(sapply(sides, function(side) p.coin(x, side))))
}

# The same with infinite differences, which share the highest rank: [finite ones, how many above, how many below, p ...].
infinite <- list()
for (n in c(3, 5, 8, 12, 20)) for (above in 0:3) for (below in c(0, 2)) {
  x <- round(rnorm(n, 0.4, 3), 1)
  p <- sapply(sides, function(side) p.coin(c(x, rep(1000, above), rep(-1000, below)), side))
  infinite[[length(infinite) + 1]] <- row(vec(x), above, below, vec(p))
}

# Holm and Benjamini-Hochberg: [m, p values, Holm, Benjamini-Hochberg].
adjusted <- list()
for (k in 1:12) for (extra in c(0, 1, 8)) {
  p <- signif(rbeta(k, 0.3, 2), 3)
  adjusted[[length(adjusted) + 1]] <- row(k + extra, vec(p), vec(p.adjust(p, "holm", k + extra)),
                                          vec(p.adjust(p, "BH", k + extra)))
}

# Student's quantile: [level, degrees, t].
student <- list()
for (level in c(0.01, 0.2, 0.5, 0.75, 0.9, 0.99, 0.999)) for (d in c(1, 2, 7, 29, 500)) {
  student[[length(student) + 1]] <- row(level, d, num(qt(level, d)))
}

# The prediction of the next value, by a linear model of the mean alone: [level, mean, upper limit, values].
prediction <- list()
for (m in c(2, 3, 8, 15, 30)) for (level in c(0.95, 0.99)) {
  x <- round(rnorm(m, 3, 0.05), 5)
  next.value <- predict(lm(x ~ 1), data.frame(row = 1), interval = "prediction", level = 2 * level - 1)
  prediction[[length(prediction) + 1]] <- row(level, num(mean(x)), num(next.value[, "upr"]), vec(x))
}

# The normal critical value: [tail, z].
critical <- list()
for (tail in c(1e-300, 1e-20, 1e-6, 0.001, 0.0025, 0.01, 0.025, 0.05, 0.2, 0.4, 0.5, 0.7, 0.975, 0.9999)) {
  critical[[length(critical) + 1]] <- row(num(tail), num(qnorm(tail, lower.tail = FALSE)))
}

# Tango: [pairs, candidate only, baseline only, rise, z, level, low, high]. Here the likelihood is maximised by its
# derivative, and the ends are sought as roots of z.
tango.z <- function(n, b, c, d) {
  # The likelihood of q = P(baseline only), with P(candidate only) = q + d, between what leaves all cells at least 0.
  low <- max(0, -d); high <- (1 - d) / 2
  slope <- function(q) (if (b > 0) b / (q + d) else 0) + (if (c > 0) c / q else 0) -
    (if (n > b + c) 2 * (n - b - c) / (1 - 2 * q - d) else 0)
  eps <- (high - low) * 1e-15
  q <- if (slope(low + eps) <= 0) low else if (slope(high - eps) >= 0) high else
    uniroot(slope, c(low + eps, high - eps), tol = 1e-17, maxiter = 10000)$root
  variance <- n * (2 * q + d * (1 - d))
  if (variance <= 0) 0 else (b - c - n * d) / sqrt(variance)
}
tango.end <- function(n, b, c, z) {
  f <- function(d) tango.z(n, b, c, d) - z
  uniroot(f, c(-1 + 1e-9, 1 - 1e-9), tol = 1e-16, maxiter = 10000)$root
}
tango <- list()
for (n in c(8, 21, 36, 108, 500)) for (bc in list(c(0, 0), c(1, 0), c(0, 3), c(1, 7), c(5, 2), c(4, 4))) {
  for (d in c(-0.1, 0, 0.02, 0.15)) {
    b <- bc[1]; c <- bc[2]
    z <- qnorm(0.95)
    tango[[length(tango) + 1]] <- row(n, b, c, num(d), num(tango.z(n, b, c, d)), 0.9, num(tango.end(n, b, c, z)),
                                      num(tango.end(n, b, c, -z)))
  }
}

cat("{\n")
cat('"command": "Rscript test/golden/comparison.R > test/golden/comparison.json",\n')
cat(sprintf('"made by": "%s, coin %s",\n', R.version.string, packageVersion("coin")))
sets <- list(untied = untied, inverted = inverted, tied = tied, infinite = infinite, adjusted = adjusted,
             student = student, prediction = prediction, critical = critical, tango = tango)
cat(paste(sprintf('"%s": %s', names(sets), sapply(sets, rows)), collapse = ",\n"))
cat("\n}\n")
