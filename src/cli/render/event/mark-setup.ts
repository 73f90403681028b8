import { SETUP_ENDS, SETUP_STARTS } from '../../../domain/session/setup-output.ts'
import type { AgentLine } from './agent-line.ts'

/** Marks the output of setup commands, which is not the agent's. `open` has the sessions that are running setup. */
export function markSetup(
  lines: readonly AgentLine[],
  session: string,
  open: Set<string>,
): readonly AgentLine[] {
  return lines.flatMap((line): readonly AgentLine[] => {
    if (line.text === SETUP_STARTS) {
      open.add(session)
      return []
    }
    if (line.text === SETUP_ENDS) {
      open.delete(session)
      return []
    }
    const isOutput = line.kind === 'error' || line.kind === 'tool'
    // The mark says already that Muster runs setup.
    const text = line.text.replace(/^muster: setup (?=command )/, '')
    return [isOutput && open.has(session) ? { ...line, kind: 'setup', text } : line]
  })
}
