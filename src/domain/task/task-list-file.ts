/** Where the task list is kept on the working branch. */
export const TASK_LIST_FILE = 'TASKLIST.md'

/** Whether the task list is committed to the working branch. It is stored with the job in any case. */
export type TaskListPlace = 'none' | 'branch'
