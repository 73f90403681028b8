/** An amount for people. What costs less than a cent is still told from nothing. */
export function dollars(amount: number): string {
  return amount > 0 && amount < 0.01 ? `$${amount.toFixed(4)}` : `$${amount.toFixed(2)}`
}
