import { z } from 'zod'
import type { ModelInfo } from '../../../ports/agent-provider.ts'
import { findProgram } from '../../shared/find-program.ts'
import { askCodex } from './ask-codex.ts'
import { CODEX } from './codex-launch.ts'

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

/** Asks the program for the models of the current login. Empty if it doesn't answer. */
export async function listCodexModels(searchPath: string): Promise<readonly ModelInfo[]> {
  const program = await findProgram(CODEX.name, '/', searchPath)
  if (program === undefined) return []
  const [, listed] = await askCodex({ command: [program] }, [{ method: 'model/list', params: {} }])
  return modelsOf(modelList.safeParse(listed).data)
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
