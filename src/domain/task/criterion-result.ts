/** Whether one of a task's success criteria holds, by whose word, and where it can be seen. */
export type CriterionResult = {
  /** Of the criterion, from 1. */
  readonly number: number
  readonly isMet: boolean
  readonly evidence: string
  readonly by: 'worker' | 'reviewer'
}
