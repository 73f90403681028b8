import { relative, resolve } from 'node:path'
import type { MusterClient, WirePlaybookView } from '../../client/index.ts'
import { success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { printExactly, printResult } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { drawPlaybook } from '../render/playbook/playbook-drawing.ts'
import { mermaidOf } from '../render/playbook/playbook-mermaid.ts'
import { playbookTable } from '../render/playbook/playbook-table.ts'
import { counted } from '../render/text/counted.ts'
import { displayOf } from '../render/text/display.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { findRepository } from '../repository/find-repository.ts'
import { withAnswer, withDaemon } from '../with-daemon.ts'

export type ShowPlaybookFlags = { readonly mermaid?: true }

/** Lists the playbooks that can be named here, valid or not. */
export async function listPlaybooksCommand(needs: CommandNeeds): Promise<Outcome> {
  return withDaemon(needs, (client) => listPlaybooks(needs, client))
}

export async function listPlaybooks(needs: CommandNeeds, client: MusterClient): Promise<Outcome> {
  return withAnswer(client.listPlaybooks(await whereOf(needs)), (page) => {
    if (page.items.some(({ type }) => type === 'invalid'))
      needs.output.note(`to see what is wrong: ${needs.output.hint('muster playbooks validate')}`)
    return printExactly(needs, page, playbookTable(page.items, displayOf(needs)))
  })
}

/** Draws one playbook. If it is invalid, prints what is wrong with it instead. */
export async function showPlaybookCommand(
  needs: CommandNeeds,
  text: string,
  flags: ShowPlaybookFlags,
): Promise<Outcome> {
  return withDaemon(needs, (client) =>
    withAnswer(readPlaybook(needs, client, text), (view) => {
      if (view.type === 'invalid') return printVerdicts(needs, view, [view])
      const lines = flags.mermaid === true ? mermaidOf(view.playbook) : drawPlaybook(view, displayOf(needs))
      return printExactly(needs, view, lines)
    }),
  )
}

/** Prints every fault of a playbook; without a name, of all playbooks that don't come with Muster. */
export async function validatePlaybookCommand(
  needs: CommandNeeds,
  text: string | undefined,
): Promise<Outcome> {
  return withDaemon(needs, async (client) => {
    if (text !== undefined)
      return withAnswer(readPlaybook(needs, client, text), (view) => printVerdicts(needs, view, [view]))
    return withAnswer(client.listPlaybooks(await whereOf(needs)), ({ items }) => {
      const own = items.filter(({ place }) => place !== 'shipped')
      if (own.length > 0) return printVerdicts(needs, { items: own }, own)
      return printResult(needs, { items: own }, [
        `there are no playbooks here besides those of Muster; write one with: ${needs.output.hint('muster playbooks new NAME')}`,
      ])
    })
  })
}

/** Prints the JSON Schema of playbook.yaml as it is, so that it can be sent into a file. */
export async function playbookSchemaCommand(needs: CommandNeeds): Promise<Outcome> {
  return withDaemon(needs, (client) =>
    withAnswer(client.getPlaybookSchema(), (schema) =>
      printExactly(needs, schema, [JSON.stringify(schema, undefined, 2)]),
    ),
  )
}

async function whereOf({ surroundings }: CommandNeeds): Promise<{ readonly repositoryPath?: string }> {
  const repositoryPath = await findRepository(surroundings.cwd)
  return repositoryPath === undefined ? {} : { repositoryPath }
}

/** A name has no slash, so a text with one, and `.`, is a folder. */
export async function readPlaybook(needs: CommandNeeds, client: MusterClient, text: string) {
  const isFolder = text.includes('/') || /^\.{1,2}$/.test(text)
  if (isFolder) return client.validatePlaybook(resolve(needs.surroundings.cwd, text))
  return client.getPlaybook(text, await whereOf(needs))
}

export function printVerdicts(
  needs: CommandNeeds,
  data: unknown,
  views: readonly WirePlaybookView[],
): Outcome {
  const { output } = needs
  const invalid = views.filter(({ type }) => type === 'invalid')
  output.value({ success: true, data })
  for (const line of views.flatMap((view) => verdictLines(needs, view))) output.printProse(line)
  return success(invalid.length === 0 ? EXIT.done : EXIT.usage)
}

function verdictLines(needs: CommandNeeds, view: WirePlaybookView): readonly string[] {
  const { paint } = needs.output
  if (view.type === 'invalid') {
    return [
      ...view.faults.map((fault) => faultLine(needs, fault)),
      `${paint('bad', 'invalid')} ${safeLine(view.name)}: ${counted(view.faults.length, 'problem')}`,
    ]
  }
  return [
    ...view.warnings.map(
      ({ field, problem }) => `${paint('warn', 'warning')} ${safeLine(`${field}: ${problem}`)}`,
    ),
    `${paint('good', 'valid')} ${safeLine(view.name)}: a run makes at most ${counted(view.visitBound, 'visit')}`,
  ]
}

type Fault = Extract<WirePlaybookView, { type: 'invalid' }>['faults'][number]

function faultLine({ surroundings }: CommandNeeds, { file, line, column, field, problem }: Fault): string {
  const near = relative(surroundings.cwd, file)
  const place = [near.startsWith('..') ? file : near, line, column].filter((part) => part !== undefined)
  return safeLine(`${place.join(':')} ${field === '' ? '' : `${field}: `}${problem}`)
}
