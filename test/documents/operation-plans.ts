import { dirname } from 'node:path'
import { startModelServer } from '../support/model-server/model-server.ts'
import { fileIn } from './documented-commands.ts'
import type { World } from './documents-world.ts'
import type { Plans } from './plans.ts'
import type { Scene } from './run-documented.ts'

/** In a cloned repository that is not trusted yet, or trusted already. */
async function cloned({ newRepository, client }: World, isTrusted = false): Promise<Scene> {
  const { path } = await newRepository('cloned-repository')
  if (isTrusted) {
    const shown = await client.getTrust(path)
    if (shown.ok) await client.trustConfiguration(path, shown.value.digest)
  }
  return { cwd: dirname(path), environment: { MUSTER_TRUST: '' } }
}

/** With the request of a task whose agent waits for permission. */
async function asked({ approval, repository }: World): Promise<Scene> {
  const { id, task = '' } = await approval('requests', 'four-requests')
  return { ids: { APR: id, TASK: task }, cwd: (await repository('requests')).path }
}

/** Commands about approvals and trust. */
export const DECISION_PLANS: Plans = {
  'muster approvals': async (world) => ({ ...(await asked(world)), shows: 'wants to run' }),
  'muster approve TASK': async (world) => ({ ...(await asked(world)), shows: 'may run' }),
  'muster approve APR --scope job': async (world) => ({
    ...(await asked(world)),
    terminal: { at: 'in this job', keys: 'y\r' },
    shows: 'approved',
  }),
  'muster deny APR --reason TEXT': async (world) => ({ ...(await asked(world)), shows: 'denied' }),
  'muster diff APR': async ({ approval, directory }) => ({
    ids: { APR: (await approval('approve-all', 'two-files')).id },
    cwd: directory,
    shows: '+',
  }),
  'muster approve APR': async ({ approval, directory }) => ({
    ids: { APR: (await approval('approve-all', 'two-files')).id },
    cwd: directory,
    shows: 'will land',
  }),
  'muster trust': async (world) => ({
    ...(await cloned(world)),
    terminal: { at: 'Trust these settings?', keys: 'y\r' },
    shows: 'Trusted',
  }),
  'muster trust --yes': async (world) => ({ ...(await cloned(world)), shows: 'Trusted' }),
  'muster trust --list': async (world) => ({ ...(await cloned(world, true)), shows: 'cloned-repository' }),
  'muster trust --revoke': async (world) => ({ ...(await cloned(world, true)), shows: 'no longer trusted' }),
}

/** Commands about the machine, the home and its files. */
export const OPERATION_PLANS: Plans = {
  'muster doctor': async ({ directory }) => ({ cwd: directory, shows: 'daemon' }),
  'muster audit tail': async ({ directory }) => ({ cwd: directory, shows: ' engine ' }),
  'muster audit tail -n 100 --json': async ({ directory }) => ({ cwd: directory, shows: '"items"' }),
  'muster audit verify': async ({ directory }) => ({ cwd: directory }),
  // The file is there already, because the backup is made first.
  'muster --home ~/muster-restored restore muster.tar': async ({ directory, anotherHome }) => {
    const { MUSTER_DATABASE_URL } = await anotherHome('restored')
    return { cwd: directory, environment: { MUSTER_DATABASE_URL }, shows: 'restored' }
  },
  'muster serve --adopt-database': async ({ directory, anotherHome }) => ({
    cwd: directory,
    environment: await anotherHome('adopting'),
    interruptAt: 'ready at',
  }),
  'muster run TEXT': async ({ newRepository }) => {
    const model = await startModelServer()
    const done = { tasks: [], done: true, evidence: [{ clause: 1, evidence: 'hello.txt says hello' }] }
    model.play('You plan the work', [{ text: JSON.stringify(done) }])
    const { path } = await newRepository('modelled', {
      'hello.txt': 'hello\n',
      'muster.yaml': JSON.stringify({
        version: 1,
        checks: ['grep -q hello hello.txt'],
        agents: { worker: { provider: 'command', command: ['true'] } },
        models: { default: { provider: 'openai-compatible', model: 'm', baseUrl: `${model.url}/v1` } },
        planner: { model: 'default' },
      }),
    })
    return { cwd: path, shows: 'completed' }
  },
  'git add . && git commit -m TEXT && muster run TEXT': async ({ newRepository }) => {
    const guide = 'docs/guides/scripted-agents.md'
    const { path, write } = await newRepository('scripted', { 'README.md': '# Example\n' })
    await write({
      'muster.yaml': fileIn(guide, 'muster.yaml'),
      'script.yaml': fileIn(guide, 'script.yaml'),
    })
    return { cwd: path, shows: 'completed: the goal is reached' }
  },
  'script: muster run TEXT': async ({ newRepository }) => ({
    cwd: (await newRepository('empty')).path,
    shows: 'completed: the goal is reached',
  }),
  'muster run TEXT --detach': async ({ repository }) => ({
    cwd: (await repository('detached')).path,
    shows: 'follow it:  muster watch job_',
  }),
}
