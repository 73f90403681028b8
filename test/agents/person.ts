import { type ModelServer, startModelServer } from '../support/model-server/model-server.ts'
import type { AgentProgram } from './agent-program.ts'
import { type ProgramHome, programHome } from './program-home.ts'

/** Somebody who uses the program: their home, in which it has been started before, and their model. */
export type Person = AsyncDisposable & { readonly model: ModelServer; readonly home: ProgramHome }

export async function openPerson(program: AgentProgram): Promise<Person> {
  await using stack = new AsyncDisposableStack()
  const model = stack.use(await startModelServer())
  const home = stack.use(await programHome(program, model.url))
  const kept = stack.move()
  return { model, home, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}
