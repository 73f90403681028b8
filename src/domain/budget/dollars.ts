/** An amount for people. Small amounts that aren't whole cents keep their digits, so that none looks like nothing. */
export function dollars(amount: number): string {
  const cents = amount * 100
  const isWhole = Math.abs(cents - Math.round(cents)) < 1e-6
  return `$${amount.toFixed(amount > 0 && amount < 0.1 && !isWhole ? 4 : 2)}`
}
