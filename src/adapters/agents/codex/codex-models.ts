import { execa } from 'execa'
import { z } from 'zod'
import type { ModelInfo } from '../../../ports/agent-provider.ts'
import { findProgram } from '../../shared/find-program.ts'
import { parseJsonObject } from '../shared/parse-json-object.ts'
import { CODEX, quietArguments } from './codex-launch.ts'
import { GREETING_ID, greetedLine, greetingLine } from './codex-lines.ts'

const PATIENCE_MS = 15_000
const LIST_ID = 2
const LIST_LINE = JSON.stringify({ id: LIST_ID, method: 'model/list', params: {} })

const modelList = z.object({
  result: z.object({
    data: z.array(
      z.object({
        model: z.string().min(1),
        displayName: z.string().catch(''),
        hidden: z.boolean().catch(false),
        isDefault: z.boolean().catch(false),
      }),
    ),
  }),
})

/** Asks the program what it offers to the person it is logged in for; nothing when it does not answer. */
export async function listCodexModels(searchPath: string): Promise<readonly ModelInfo[]> {
  const program = await findProgram(CODEX.name, '/', searchPath)
  if (program === undefined) return []
  const child = execa(program, ['app-server', ...quietArguments()], {
    timeout: PATIENCE_MS,
    reject: false,
    buffer: false,
    stdin: 'pipe',
    stderr: 'ignore',
  })
  // A program that went away reads no more; that it gave no list is told by the list.
  child.stdin.on('error', () => undefined)
  child.stdin.write(`${greetingLine()}\n`)
  let models: readonly ModelInfo[] = []
  for await (const line of child) {
    const message = parseJsonObject(line)
    if (message?.['id'] === GREETING_ID) child.stdin.write(`${greetedLine()}\n${LIST_LINE}\n`)
    if (message?.['id'] !== LIST_ID) continue
    models = modelsOf(modelList.safeParse(message).data)
    // It ends with its input.
    child.stdin.end()
  }
  return models
}

function modelsOf(list: z.infer<typeof modelList> | undefined): readonly ModelInfo[] {
  const shown = list?.result.data.filter((model) => !model.hidden) ?? []
  const byId = new Map(shown.map((model) => [model.model, model]))
  const models = [...byId.values()]
  const standard = models.find((model) => model.isDefault)
  return models.map((model) => ({
    id: model.model,
    name: model.displayName || model.model,
    ...(model === standard ? { isDefault: true } : {}),
  }))
}
