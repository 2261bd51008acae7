import { defineConfig, type ViteUserConfig } from "vitest/config";

/** The long runs: the same laws as the suite, many more cases. `npm run test:long`. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ["test/**/*.long.ts"],
    testTimeout: 4 * 3_600_000,
    hookTimeout: 600_000,
  },
});

export default config;
