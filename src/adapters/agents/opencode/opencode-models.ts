import { execa } from 'execa'
import type { ModelInfo } from '../../../ports/agent-provider.ts'
import { findProgram } from '../../shared/find-program.ts'
import { OPENCODE, QUIET } from './opencode-launch.ts'

const PATIENCE_MS = 20_000
const MAX_BYTES = 1024 * 1024
const MODEL = /^[^\s/]+\/\S+$/

/** The models of all providers with a login. Empty if the program doesn't answer. */
export async function listOpencodeModels(): Promise<readonly ModelInfo[]> {
  const searchPath = process.env['PATH'] ?? ''
  const found = await findProgram(OPENCODE.name, '/', searchPath)
  if (found === undefined) return []
  const asked = await execa(found, ['models'], {
    env: QUIET,
    timeout: PATIENCE_MS,
    reject: false,
    stdin: 'ignore',
    maxBuffer: MAX_BYTES,
  })
  return asked.exitCode === 0 ? readModels(asked.stdout) : []
}

/** Every line names a model as `provider/model`. */
export function readModels(output: string): readonly ModelInfo[] {
  const ids = output.split('\n').map((line) => line.trim())
  return [...new Set(ids.filter((id) => MODEL.test(id)))].map((id) => ({ id, name: id }))
}
