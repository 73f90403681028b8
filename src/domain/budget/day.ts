/** The local calendar day that contains a moment. `end` is the next midnight. */
export type Day = { readonly start: Date; readonly end: Date }

export function dayOf(moment: Date): Day {
  const [year, month, date] = [moment.getFullYear(), moment.getMonth(), moment.getDate()]
  return { start: new Date(year, month, date), end: new Date(year, month, date + 1) }
}
