import { expect, it } from 'vitest'
import { openHome } from './open-home.ts'

it('fails at once if the home cannot be created', async () => {
  await expect(openHome({ home: '/proc/muster/home', daemon: 'running' })).rejects.toThrow('ENOENT')
})
