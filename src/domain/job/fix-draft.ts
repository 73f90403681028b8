import { type Baseline, failuresOf, isSetupFailing } from '../baseline/baseline.ts'
import type { OriginatedDraft } from '../discovery/conflict-draft.ts'

const MAX_TITLE = 80
const MAX_DETAIL = 6_000

/** The task that makes a failing base pass, before any other work. Muster makes it, without a planner. */
export function fixDraft(baseline: Baseline, branch: string): OriginatedDraft {
  const failures = failuresOf(baseline)
  const commands = failures.map(({ command }) => `\`${command}\``)
  const isSetup = isSetupFailing(baseline)
  return {
    description: `Make ${title(commands)} pass on ${branch}`,
    context: [
      `Muster ran the project's ${isSetup ? 'setup commands' : 'checks'} on commit ${baseline.commit} before any work`,
      'began. What is listed below failed. Find the cause and fix it, and change nothing else. Do not make a command',
      'pass by removing, skipping or weakening tests. If it can only be fixed outside the repository, change nothing',
      'and explain why.',
      ...(isSetup ? ['', 'No setup command has run in your working directory.'] : []),
      ...failures.map(({ command, detail }) => `\n\`${command}\` ${detail.slice(0, MAX_DETAIL)}`),
    ].join('\n'),
    files: [],
    parallel: false,
    priority: 'P0',
    successCriteria: commands.map((command) => `${command} exits with status 0`),
    dependsOn: [],
    clauses: [],
    origin: { type: 'base', isSetup },
  }
}

function title(commands: readonly string[]): string {
  const [first = 'the checks', ...others] = commands
  const named = first.replaceAll(/\s+/g, ' ')
  const short = named.length > MAX_TITLE ? `${named.slice(0, MAX_TITLE - 1)}…\`` : named
  return others.length === 0 ? short : `${short} and ${others.length} more`
}
