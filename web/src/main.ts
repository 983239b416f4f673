import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { takeKeyFromAddress } from "./person.svelte";
import { preferred, speak } from "./words.svelte";

takeKeyFromAddress();
const target = document.getElementById("app");
if (target) void speak(preferred()).then(() => mount(App, { target }));
