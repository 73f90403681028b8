/** Which other task stands for a task that did not land, if one does. `labels` are the short names of all tasks. */
export function successorWords(
  task: { readonly supersededBy?: string | undefined; readonly coveredBy?: string | undefined },
  labels: ReadonlyMap<string, string>,
): readonly string[] {
  const merged = labels.get(task.supersededBy ?? '')
  if (merged !== undefined) return [`its work landed with ${merged}`]
  const covering = labels.get(task.coveredBy ?? '')
  return covering === undefined ? [] : [`a later task, ${covering}, served the same part of the goal`]
}
