import type { MusterClient, WireJob } from '../../client/index.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import type { Outcome, Problem } from '../problem.ts'
import { documentLines, documentName } from '../render/job/document-lines.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { readGoal } from '../repository/read-goal.ts'
import { withAnswer, withFound } from '../with-daemon.ts'

export type EditFlags = { readonly goal?: string; readonly tasks?: string }

/** Changes what a job is to reach from its next cycle on; without anything to change, shows what was changed. */
export async function editCommand(needs: CommandNeeds, text: string, flags: EditFlags): Promise<Outcome> {
  if (flags.goal === '-' && flags.tasks === '-') return failure(onlyOneInput())
  const goal =
    flags.goal === undefined
      ? undefined
      : await readGoal(needs.surroundings, flags.goal, `muster edit ${safeLine(text)} --goal`)
  if (goal?.ok === false) return goal
  const tasks = flags.tasks === undefined ? undefined : await readTasks(needs, text, flags.tasks)
  if (tasks?.ok === false) return tasks
  return withFound(needs, text, ['job'], (client, { id }) =>
    goal === undefined && tasks === undefined
      ? showHistory(needs, client, id)
      : edit(needs, client, id, { goal: goal?.value, tasks: tasks?.value }),
  )
}

/** Nothing in particular may be wanted, where a goal may not be empty. */
async function readTasks(needs: CommandNeeds, job: string, given: string): Promise<Result<string, Problem>> {
  const command = `muster edit ${safeLine(job)} --tasks`
  return given.trim() === '' ? success('') : readGoal(needs.surroundings, given, command)
}

type Texts = { readonly goal: string | undefined; readonly tasks: string | undefined }

async function edit(needs: CommandNeeds, client: MusterClient, id: string, texts: Texts): Promise<Outcome> {
  const { output } = needs
  const before = await client.getJob(id)
  if (!before.ok) return failure(apiProblem(before.failure))
  let job: WireJob | undefined
  for (const change of changesOf(client, id, texts)) {
    const edited = await change()
    if (!edited.ok) return failure(apiProblem(edited.failure))
    job = edited.value
  }
  if (job === undefined) return success(EXIT.done)
  output.value({ success: true, data: job })
  for (const line of editedLines(before.value, job, texts)) output.print(`${id}: ${line}`)
  output.note(`what was changed: ${output.hint(`muster edit ${id}`)}`)
  return success(EXIT.done)
}

/** The same text again is no new version. */
function editedLines(before: WireJob, after: WireJob, { goal, tasks }: Texts): readonly string[] {
  const given = [
    ...(goal === undefined ? [] : (['goal'] as const)),
    ...(tasks === undefined ? [] : (['task-list'] as const)),
  ]
  return given.map((kind) => {
    const versionIn = (job: WireJob) => job.waitingDocuments.find((waiting) => waiting.kind === kind)?.number
    const number = versionIn(after)
    if (number === undefined) return `${documentName(kind)} unchanged: this is what is in force`
    const waits = `${documentName(kind)} (version ${number}) waits for the next cycle`
    return number === versionIn(before) ? `${waits}, unchanged` : waits
  })
}

function changesOf(client: MusterClient, id: string, { goal, tasks }: Texts) {
  return [
    ...(goal === undefined ? [] : [() => client.editGoal(id, goal)]),
    ...(tasks === undefined ? [] : [() => client.editTaskList(id, tasks)]),
  ]
}

function showHistory(needs: CommandNeeds, client: MusterClient, id: string): Promise<Outcome> {
  const { output, surroundings } = needs
  return withAnswer(client.listDocuments(id), (page) =>
    withAnswer(client.getJob(id), ({ status }) => {
      output.value({ success: true, data: page })
      const isOver = status === 'completed' || status === 'cancelled' || status === 'error'
      const history = { versions: page.items, isOver }
      for (const document of page.items) {
        for (const line of documentLines(document, history, surroundings.now(), output.paint))
          output.print(line)
      }
      if (page.nextCursor !== undefined) output.note('and older ones')
      return success(EXIT.done)
    }),
  )
}

function onlyOneInput(): Problem {
  return {
    type: 'input-twice',
    exitCode: EXIT.usage,
    message: 'standard input can be either the goal or the tasks',
    next: 'muster edit <job> --goal @GOAL.md --tasks -',
  }
}
