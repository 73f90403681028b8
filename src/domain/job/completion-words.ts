/** How a job ended, in words, by the reason that is stored. */
export const COMPLETIONS: Readonly<Record<string, string>> = {
  'goal-reached': 'completed: the goal is reached',
  'nothing-left': 'completed: nothing left to do',
  'max-cycles-reached': 'stopped at the cycle limit',
  'time-limit-reached': 'stopped at the time limit',
  'budget-reached': 'stopped at the budget',
  'no-progress': 'stopped: no more progress',
  'task-completed': 'completed: the task is done',
  'task-blocked': 'stopped: the task is blocked',
  'task-failed': 'stopped: the task failed',
}
