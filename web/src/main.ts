import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { takeKeyFromAddress } from "./player.svelte";
import { restWhenIdle } from "./rest";
import { showTheme } from "./settings.svelte";
import { preferredLanguage, setLanguage } from "./words.svelte";

takeKeyFromAddress();
showTheme();
restWhenIdle();
const target = document.getElementById("app");
if (target) void setLanguage(preferredLanguage()).then(() => mount(App, { target }));
