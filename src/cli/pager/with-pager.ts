import { once } from 'node:events'
import type { CommandNeeds } from '../command-needs.ts'
import { createOutput } from '../output.ts'
import type { Outcome } from '../problem.ts'
import { PagedStream } from './paged-stream.ts'
import { pagerCommand, startPager } from './start-pager.ts'

/**
 * Runs `work` with an output that goes through the person's pager if it is longer than the screen, and returns when the
 * person has closed the pager. Output that isn't for a terminal is printed as always.
 */
export async function withPager(
  needs: CommandNeeds,
  work: (needs: CommandNeeds) => Promise<Outcome>,
): Promise<Outcome> {
  const { surroundings, options } = needs
  const pager = wantedPager(needs)
  if (pager.length === 0) return work(needs)
  const paged = new PagedStream({
    stdout: surroundings.stdout,
    startPager: () => startPager(surroundings, pager),
  })
  const inside = { ...surroundings, stdout: paged }
  try {
    return await work({
      ...needs,
      surroundings: inside,
      output: createOutput(inside, options, needs.output.ids),
    })
  } finally {
    paged.end()
    // Leaving the pager early breaks its pipe, which is the way to leave.
    if (!paged.closed) await once(paged, 'close').catch(() => {})
  }
}

/** The words of the pager for this command's output; none if the output should just be printed. */
export function wantedPager({
  surroundings,
  options,
}: Pick<CommandNeeds, 'surroundings' | 'options'>): readonly string[] {
  const { stdout, environment } = surroundings
  const isWanted =
    options.pager === true && !options.json && stdout.isTTY === true && environment['TERM'] !== 'dumb'
  return isWanted ? pagerCommand(environment) : []
}
