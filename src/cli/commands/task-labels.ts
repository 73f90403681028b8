import type { MusterClient } from '../../client/index.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { createTaskNames } from '../follow/task-names.ts'

type OfTask = { readonly taskId?: string | undefined; readonly jobId?: string | undefined }

/** The short names of the tasks of sessions or landings. Programs get only IDs. */
export async function taskLabels(
  needs: CommandNeeds,
  client: MusterClient,
  records: readonly OfTask[],
): Promise<ReadonlyMap<string, string>> {
  const names = createTaskNames(client)
  const labels = new Map<string, string>()
  for (const { taskId, jobId } of needs.output.json ? [] : records) {
    if (taskId === undefined || jobId === undefined) continue
    const name = await names.nameOf({ taskId, jobId })
    if (name !== undefined) labels.set(taskId, name.label)
  }
  return labels
}
