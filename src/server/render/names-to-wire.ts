import type { WireNamedRecord, WireNames } from '../../contract/name.ts'
import { taskName } from '../../domain/task/task-name.ts'
import type { NamesView, NameView } from '../../engine/queries/names.ts'

export function namesToWire({ lengths, items }: NamesView): WireNames {
  return { lengths, items: items.map(nameToWire) }
}

function nameToWire({ by, title, record }: NameView): WireNamedRecord {
  const { kind, id, repositoryPath, task } = record
  return {
    kind,
    id,
    by,
    title,
    ...(task === undefined ? {} : { name: taskName(task), jobId: task.jobId }),
    ...(repositoryPath === undefined ? {} : { repositoryPath }),
  }
}
