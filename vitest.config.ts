import { defineConfig, type ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Generous: the machines are shared, and a test that hangs is found all the same.
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
});

export default config;
