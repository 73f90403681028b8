import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { composePlaybooks } from './compose.ts'

it('ships every playbook and prompt with the package', async () => {
  const found = (await composePlaybooks().list(undefined)).filter(({ place }) => place === 'shipped')
  expect(found.map(({ name }) => name)).toEqual([
    'architecture',
    'best-of',
    'development',
    'research',
    'review',
    'reviewed',
    'solo',
    'tdd',
  ])
  const listing = execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  for (const { name } of found) expect(listing).toContain(`"playbooks/${name}/playbook.yaml"`)
  expect(listing).toContain('"playbooks/builtin/developer.md"')
}, 30_000)
