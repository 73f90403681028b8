import type { WireRun } from '../../../client/index.ts'
import type { Display } from '../text/display.ts'
import { errorLines } from './error-lines.ts'
import { degradationLines, runWords } from './run-lines.ts'

/** A person who has just followed a job needs the latest; the report has all of them. */
const SHOWN = 3

/** What went wrong in the runs of a job, and what to do next; nothing if all went well and there is nothing to do. */
export function troubleLines(runs: readonly WireRun[], display: Display): readonly string[] {
  return runs
    .filter(isTelling)
    .slice(-SHOWN)
    .flatMap((run) => [
      '',
      `${display.paint('strong', run.id)} ${runWords(run)}`,
      ...degradationLines(run),
      ...errorLines(run, display),
    ])
}

function isTelling({ errors, next, degradation }: WireRun): boolean {
  const isDegraded = degradation !== undefined && degradation.level !== 'full'
  return errors.length > 0 || next.length > 0 || isDegraded
}
