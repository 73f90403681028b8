const COMPLETIONS: Readonly<Record<string, string>> = {
  'goal-reached': 'completed: the goal is reached',
  'nothing-left': 'completed: nothing left to do',
  'max-cycles-reached': 'stopped at the cycle limit',
  'time-limit-reached': 'stopped at the time limit',
  'budget-reached': 'stopped at the budget',
  'no-progress': 'stopped: no more progress',
  'goal-doubted': 'stopped: the planner reported the goal as reached, but nothing landed',
  'task-completed': 'completed: the task is done',
  'task-blocked': 'stopped: the task is blocked',
  'task-failed': 'stopped: the task failed',
}

/** The same if tasks did not land, so that the planner's word doesn't hide them. */
const CLAIMS: Readonly<Record<string, string>> = {
  'goal-reached': 'the planner reports that the goal is reached',
  'nothing-left': 'the planner reports that nothing is left to do',
}

/** How a job ended, in words, by the reason that is stored; undefined for a reason that isn't known. */
export function completionWords(reason: string, unlanded: number): string | undefined {
  const claim = unlanded === 0 ? undefined : CLAIMS[reason]
  if (claim === undefined) return COMPLETIONS[reason]
  return `${claim}; ${unlanded === 1 ? '1 task' : `${unlanded} tasks`} did not land`
}
