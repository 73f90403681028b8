import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { agentsBin } from '../../scripts/install-agents.ts'
import { type ModelServer, startModelServer } from '../support/model-server/model-server.ts'
import { type TemporaryDirectory, temporaryDirectory } from '../support/temporary-directory.ts'
import type { AgentProgram } from './agent-program.ts'

type ProgramHome = AsyncDisposable & {
  /** The home of a person who uses the programs, with a PATH that has the programs and little else. */
  readonly path: string
  readonly environment: Readonly<Record<string, string>>
}

const SYSTEM_PLACES = ['/usr/local/bin', '/usr/bin', '/bin']

/** A person who uses these programs: their home, with the settings of each, and their model. */
export type Person = AsyncDisposable & { readonly model: ModelServer; readonly home: ProgramHome }

export async function openPerson(...programs: readonly AgentProgram[]): Promise<Person> {
  await using stack = new AsyncDisposableStack()
  const model = stack.use(await startModelServer())
  const home = stack.use(await programHome(programs, model.url))
  const kept = stack.move()
  return { model, home, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

async function programHome(programs: readonly AgentProgram[], modelUrl: string): Promise<ProgramHome> {
  const directory = await temporaryDirectory('muster-person')
  const path = join(directory.path, 'home')
  const files = programs.flatMap((program) => Object.entries(program.homeFiles(modelUrl)))
  for (const [name, text] of files) {
    await mkdir(join(path, dirname(name)), { recursive: true })
    await writeFile(join(path, name), text)
  }
  await mkdir(path, { recursive: true })
  // Some programs leave reports of errors among their temporary files.
  const temporary = join(directory.path, 'tmp')
  await mkdir(temporary)
  const places = [await nodePlace(directory), await agentsBin(), ...SYSTEM_PLACES]
  return {
    path,
    environment: { HOME: path, PATH: places.join(delimiter), LANG: 'C.UTF-8', TMPDIR: temporary },
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  }
}

/** Programs that are scripts run with the Node that runs the tests. */
async function nodePlace(directory: TemporaryDirectory): Promise<string> {
  const place = join(directory.path, 'node')
  await mkdir(place)
  await symlink(process.execPath, join(place, 'node'))
  return place
}
