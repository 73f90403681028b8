import { createHub } from '../../src/adapters/git/hub/create-hub.ts'
import { openDatabase } from '../../src/adapters/store/postgres/open-database.ts'
import { engineSettings } from '../../src/daemon/engine-settings.ts'
import { openHome } from '../../src/daemon/home-files.ts'
import { KnownSecrets } from '../../src/daemon/secrets/known-secrets.ts'
import { temporaryDirectory } from './temporary-directory.ts'
import { createTestDatabase } from './test-database.ts'
import { testRepository } from './test-repository.ts'

/** The real parts below the engine: a database, a home, a hub, the usual settings and a person's repository. */
export async function openEngineWorld(files?: Readonly<Record<string, string>>) {
  const stack = new AsyncDisposableStack()
  const directory = stack.use(await temporaryDirectory('muster-engine'))
  const home = await openHome(directory.path)
  const repository = stack.use(await testRepository(files))
  const database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  stack.defer(() => database.destroy())
  const hub = stack.use(createHub({ hubsDirectory: home.hubs, gitConfigFile: home.gitConfig }))
  const secrets = new KnownSecrets()
  const settings = engineSettings({ home, token: 'token', secrets, daemonUrl: () => 'http://127.0.0.1:1' })
  return {
    database,
    home,
    hub,
    repository,
    settings,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
