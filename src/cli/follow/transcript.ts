import type { MusterClient } from '../../client/index.ts'
import type { WireEvent } from '../../contract/event.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { spokenLines, transcriptLines } from '../render/event/transcript-lines.ts'
import { createTaskNames } from './task-names.ts'

/** What agents said, event by event. */
export interface Transcript {
  /** What an event adds. Most events add nothing. */
  linesOf(event: WireEvent): Promise<readonly string[]>
  print(event: WireEvent): Promise<void>
}

export function createTranscript(
  { output }: Pick<CommandNeeds, 'output'>,
  client: Pick<MusterClient, 'listTasks' | 'getSession'>,
  options: {
    readonly timestamps?: boolean
    /** What stands before each line; by default the task. */
    readonly labelOf?: (event: WireEvent) => Promise<string | undefined>
  } = {},
): Transcript {
  const names = createTaskNames(client)
  const detail = output.verbose ? 'verbose' : 'normal'
  const inSetup = new Set<string>()
  const linesOf = async (event: WireEvent) => {
    // Looking up a name may take a request, so it is done only if there is something to print.
    if (spokenLines(event, detail).length === 0) return []
    const placed = await names.placed(event)
    const label = (await options.labelOf?.(event)) ?? (await names.nameOf(placed))?.label
    const time = options.timestamps === true ? `${output.paint('dim', event.at)} ` : ''
    const lines = transcriptLines(placed, label, output.paint, inSetup, output.hint, detail)
    return lines.map((line) => time + line)
  }
  return {
    linesOf,
    async print(event) {
      const lines = await linesOf(event)
      if (lines.length > 0) output.value(event)
      for (const line of lines) output.printProse(line)
    },
  }
}
