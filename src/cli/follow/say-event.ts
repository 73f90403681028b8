import type { WireEvent } from '../../contract/event.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { transcriptLines } from '../render/event/transcript-lines.ts'
import type { TaskNames } from './task-names.ts'

type Needs = Pick<CommandNeeds, 'output'>

/** Shows what one event adds to a transcript; most add nothing. */
export async function sayEvent(needs: Needs, names: TaskNames, event: WireEvent): Promise<void> {
  const lines = await spokenLines(needs, names, event)
  if (lines.length > 0) needs.output.value(event)
  for (const line of lines) needs.output.print(line)
}

export async function spokenLines(
  needs: Needs,
  names: TaskNames,
  event: WireEvent,
): Promise<readonly string[]> {
  const { paint } = needs.output
  // A name is looked for only where there is something to say.
  if (transcriptLines(event, '', paint).length === 0) return []
  const placed = await names.placed(event)
  const name = await names.nameOf(placed)
  return transcriptLines(placed, name?.label, paint).map((line) =>
    event.type === 'approval_requested' ? needs.output.hint(line) : line,
  )
}
