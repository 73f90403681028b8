import type { MusterClient } from '../../client/index.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { rowsOf } from '../pager/paged-stream.ts'
import { startPager } from '../pager/start-pager.ts'
import { wantedPager } from '../pager/with-pager.ts'
import { approvalLines } from '../render/approval/approval-lines.ts'
import { baseLines } from '../render/job/base-lines.ts'
import { diffLines } from '../render/task/diff-lines.ts'
import { displayOf } from '../render/text/display.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { wrapLine } from '../render/text/wrap-line.ts'
import type { PersonWait } from './person-waits.ts'

type Lines = readonly string[]

/** What the person decides about: all of it, and what is printed if all of it is too long to print. */
export type WaitView = { readonly whole: Lines; readonly brief: Lines }

export async function readWaitView(
  needs: CommandNeeds,
  client: MusterClient,
  wait: PersonWait,
): Promise<WaitView> {
  const { output, surroundings } = needs
  if (wait.type === 'question' || wait.type === 'unready')
    return same(wrapLine(wait.words, surroundings.stdout.columns))
  if (wait.type === 'base') {
    const base = await client.getBase(wait.id)
    const lines = base.ok ? baseLines(base.value, displayOf(needs)) : [safeLine(base.failure.message)]
    return same(lines.map(output.ids.inText))
  }
  if (wait.asks === 'landing') return await readWorkView(needs, client, wait.id)
  const approval = await client.getApproval(wait.id)
  if (!approval.ok) return same([safeLine(approval.failure.message)])
  const shown = (extent: 'brief' | 'whole') =>
    approvalLines(approval.value, surroundings.now(), displayOf(needs), extent)
  const { action } = approval.value
  const hasWork = action.type === 'gate' && action.commit !== undefined
  const work = hasWork ? await readWorkView(needs, client, wait.id) : same([])
  return { whole: [...shown('whole'), ...work.whole], brief: [...shown('brief'), ...work.brief] }
}

/** The change that an approval is about. */
async function readWorkView(
  { output, surroundings }: CommandNeeds,
  client: MusterClient,
  id: string,
): Promise<WaitView> {
  const diff = await client.getApprovalDiff(id)
  if (!diff.ok) return same([safeLine(diff.failure.message)])
  const shown = (detail: 'stat' | 'whole') =>
    diffLines(diff.value, output.paint, detail, surroundings.stdout.columns)
  const rest = `full diff: ${output.hint(`muster diff ${output.ids.of(id)}`)}`
  return { whole: shown('whole'), brief: [...shown('stat'), output.paint('dim', rest)] }
}

function same(lines: Lines): WaitView {
  return { whole: lines, brief: lines }
}

export function fitsOnScreen({ surroundings }: CommandNeeds, lines: Lines): boolean {
  const { columns, rows = Number.POSITIVE_INFINITY } = surroundings.stdout
  return rowsOf(lines.join('\n'), columns) < rows
}

/** Shows all of it in the person's pager, which needs the whole terminal. Without a pager, prints the brief form. */
export async function pageView(needs: CommandNeeds, { whole, brief }: WaitView): Promise<void> {
  const pager = await startPager(needs.surroundings, wantedPager(needs))
  if (pager === undefined) {
    for (const line of brief) needs.output.printExact(line)
    return
  }
  pager.write(`${whole.join('\n')}\n`, () => {})
  await pager.end()
}
