import { newPlaybookFiles } from '../../src/cli/playbook/new-playbook-text.ts'
import { APPROVED, answering, runProject, WRITE } from '../support/run-project.ts'
import type { World } from './documents-world.ts'
import type { Plans } from './plans.ts'
import type { Scene } from './run-documented.ts'

/** In a repository with the playbook `mine`, as `muster playbooks new` writes it. */
async function withMine({ newRepository }: World, folder: string): Promise<Scene> {
  const files = Object.entries(newPlaybookFiles('mine'))
  const placed = files.map(([name, text]) => [`.muster/playbooks/mine/${name}`, text])
  return { cwd: (await newRepository(folder, Object.fromEntries(placed))).path }
}

/** Commands about playbooks. */
export const PLAYBOOK_PLANS: Plans = {
  'muster start reviewed TEXT': async ({ newRepository }) => ({
    cwd: (await newRepository('followed', runProject({ developer: WRITE, reviewer: APPROVED }))).path,
    shows: 'completed: the task is done',
  }),
  'muster start best-of @GOAL.md --input n=4': async ({ newRepository }) => {
    const judge = answering({ choice: 1, reason: 'it is the first' })
    const files = { ...runProject({ candidate: WRITE, judge }), 'GOAL.md': 'Write a line.' }
    return { cwd: (await newRepository('best-of', files)).path, shows: 'completed: the task is done' }
  },
  'muster playbooks list': async ({ directory }) => ({ cwd: directory, shows: 'best-of' }),
  'muster playbooks show reviewed': async ({ directory }) => ({
    cwd: directory,
    shows: '-> revise, up to 3 times, then end.partial',
  }),
  'muster playbooks show reviewed --mermaid': async ({ directory }) => ({
    cwd: directory,
    shows: 'flowchart TD',
  }),
  'muster playbooks simulate reviewed --outcomes review=NEEDS_REVISION,APPROVED': async ({ directory }) => ({
    cwd: directory,
    shows: 'NEEDS_REVISION -> revise  (1 of 3)',
  }),
  'muster playbooks new mine': async ({ newRepository }) => ({
    cwd: (await newRepository('new-playbook')).path,
    shows: 'wrote .muster/playbooks/mine/playbook.yaml',
  }),
  'muster playbooks validate mine': async (world) => ({
    ...(await withMine(world, 'validated-playbook')),
    shows: 'valid mine',
  }),
  'muster playbooks validate': async (world) => ({
    ...(await withMine(world, 'validated-playbooks')),
    shows: 'valid mine',
  }),
  'muster playbooks schema > .muster/playbooks/playbook.schema.json': (world) =>
    withMine(world, 'playbook-schema'),
}
