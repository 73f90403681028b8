type Reported = { readonly tasks: readonly { readonly landings: readonly { readonly status: string }[] }[] }

/** Whether a job has landed anything. If not, as with a job whose result is a document, there is nothing to merge. */
export function hasLanded({ tasks }: Reported): boolean {
  return tasks.some(({ landings }) => landings.some(({ status }) => status === 'landed'))
}
