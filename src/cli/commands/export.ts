import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { getSystemErrorMessage } from 'node:util'
import type { WireRunResult } from '../../client/index.ts'
import { failure, success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { findRun } from '../find-run.ts'
import { notWritten } from '../not-written.ts'
import { printResult } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { safeJson, safeMarkdown } from '../render/text/safe-text.ts'
import { withAnswer, withDaemon } from '../with-daemon.ts'

export type ExportFlags = { readonly format?: 'markdown' | 'json'; readonly output?: string }

/** Prints everything that a run came to, as a document or for a program, or writes it to a file. */
export async function exportCommand(
  needs: CommandNeeds,
  text: string | undefined,
  { format = 'markdown', output: file }: ExportFlags,
): Promise<Outcome> {
  return withDaemon(needs, async (client) => {
    const run = await findRun(needs, client, text)
    if (!run.ok) return run
    return withAnswer(client.getRunResult(run.value, { format: 'markdown' }), (result) => {
      const exported = documentOf(result, format)
      return file === undefined
        ? print(needs, result, exported)
        : write(needs, resolve(needs.surroundings.cwd, file), result, exported)
    })
  })
}

function documentOf({ markdown = '', ...result }: WireRunResult, format: 'markdown' | 'json'): string {
  if (format === 'markdown') return safeMarkdown(markdown)
  return `${safeJson(result, 2)}\n`
}

/** Nothing is wrapped or shortened: a program may read it. */
function print({ output }: CommandNeeds, result: WireRunResult, exported: string): Outcome {
  output.value({ success: true, data: result })
  for (const line of exported.trimEnd().split('\n')) output.printExact(line)
  return success(EXIT.done)
}

async function write(
  needs: CommandNeeds,
  path: string,
  result: WireRunResult,
  exported: string,
): Promise<Outcome> {
  try {
    await writeFile(path, exported)
  } catch (error) {
    const { errno } = error as NodeJS.ErrnoException
    if (errno === undefined) throw error
    return failure(notWritten(path, getSystemErrorMessage(errno)))
  }
  return printResult(needs, { runId: result.id, path }, [`${result.id} is exported to ${path}`])
}
